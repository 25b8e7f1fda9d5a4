export { type AppliedProperties, type ApplyPropertiesOptions, applyProperties } from './apply-properties.ts';
export { missingProperties, type PropertyState } from './missing-properties.ts';
export { type DescribedTable, propertiesMissingFrom, tableProperties } from './table-properties.ts';
