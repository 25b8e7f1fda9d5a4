/** What is wrong with a data file; turned into a typed error where the table and the file's name are known. */
export class FileFault extends Error {
  readonly fault: 'damaged' | 'encrypted';
  readonly why: string;

  constructor(fault: 'damaged' | 'encrypted', why: string) {
    super(why);
    this.name = 'FileFault';
    this.fault = fault;
    this.why = why;
  }
}
