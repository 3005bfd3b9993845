/** A column that is read as it stands: a name is needed where the column has another one. */
export function selectedAsItIs(column: string, shown: string): string {
  return column === shown || column.endsWith(`.${shown}`) ? column : `${column} AS ${shown}`;
}
