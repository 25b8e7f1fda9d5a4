/** Shows a path from the warehouse's folder on; one that lies elsewhere whole. */
export function shortPath(folder: string | null): (path: string) => string {
  return (path) => {
    if (folder === null || (path !== folder && !path.startsWith(`${folder}/`))) return path;
    return path === folder ? '.' : path.slice(folder.length + 1);
  };
}
