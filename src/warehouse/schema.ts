/** A primitive type as Iceberg's metadata writes it: `long`, `decimal(9, 2)`, `fixed[16]`, `timestamptz`. */
export type PrimitiveType = string;

export interface StructType {
  readonly type: 'struct';
  readonly fields: readonly Field[];
}

export interface ListType {
  readonly type: 'list';
  readonly elementId: number;
  readonly elementRequired: boolean;
  readonly element: IcebergType;
}

export interface MapType {
  readonly type: 'map';
  readonly keyId: number;
  readonly key: IcebergType;
  readonly valueId: number;
  readonly valueRequired: boolean;
  readonly value: IcebergType;
}

export type IcebergType = PrimitiveType | StructType | ListType | MapType;

/** A column or a field of a struct, known by its id and never by its name. */
export interface Field {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: IcebergType;
  readonly doc?: string;
  /** JSON single-value form, as metadata writes it. */
  readonly initialDefault?: unknown;
  readonly writeDefault?: unknown;
}

/** The columns of a table at one time, in the terms of Iceberg, which know them by ids. */
export interface Schema {
  readonly id: number;
  readonly fields: readonly Field[];
  readonly identifierFieldIds: readonly number[];
}
