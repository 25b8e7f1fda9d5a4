/** The one form in which the ids of a subject are compared and hashed (rule G1). */
export type IdType = 'int' | 'long' | 'text' | 'uuid';
