/** Whether a file or folder lies in a folder, by name. */
export function within(folder: string, location: string): boolean {
  return location === folder || location.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
