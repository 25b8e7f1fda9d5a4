/** What a search of one place found so far. A shared trace (rule S3) does not end the search: a plain one may follow. */
export class Verdict {
  found = false;
  shared = false;

  /** Notes a hit; true where nothing more can be learned from this place. */
  add(shared: boolean): boolean {
    if (shared) this.shared = true;
    else this.found = true;
    return this.found;
  }

  get any(): boolean {
    return this.found || this.shared;
  }
}
