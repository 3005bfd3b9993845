/** Another request changed or deleted the entity between the reading and the writing. */
export class WriteConflict extends Error {
  override readonly name: string = "WriteConflict";
}

/** Likewise, where code of the service's own took part: it may be the reason, and another attempt then ends alike. */
export class OwnCodeConflict extends WriteConflict {
  override readonly name = "OwnCodeConflict";
}

/** What a write of an entity that is no longer there as it was read is rejected with. */
export function changedSince(entity: string): WriteConflict {
  return new WriteConflict(`${entity} was changed by another transaction.`);
}
