/** One field by which rows are put into files. */
export interface PartitionField {
  readonly fieldId: number;
  readonly sourceIds: readonly number[];
  readonly name: string;
  /** As metadata writes it: `identity`, `bucket[16]`, `truncate[4]`, `year`, `month`, `day`, `hour`, `void`, or unknown. */
  readonly transform: string;
}

/** How a table puts its rows into files; files keep the spec that they were written by. */
export interface PartitionSpec {
  readonly id: number;
  readonly fields: readonly PartitionField[];
}
