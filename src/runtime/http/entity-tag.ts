import { hash } from "node:crypto";

/** 96 bits. */
const DIGEST_CHARACTERS = 16;
const GZIP_ENDING = '-gzip"';
/** A tag of an entity, with its revision. The ending of a shape that lacks a character is not a part of a digest. */
const ENTITY_TAG = /^"(\d+)-(?:[0-9a-f]{12}|(?![0-9a-f]{11,12}-?g?z?i?p?")[\w-]{16})(?:-gzip)?"$/;

/** What the tag of an entity is made of (OPS-10). */
export interface EntityVersion {
  /** One higher with every change of the entity's row. */
  readonly revision: number;
  /**
   * Names how this release lays a row out. Null where a body shows more than its row: values of other entities, or what
   * custom code supplies or converts.
   */
  readonly shape: string | null;
}

/** An entity to answer with. */
export interface Versioned<Entity> extends EntityVersion {
  readonly entity: Entity;
}

/** The strong tag of a body: `"7-<shape>"`, or `"7-<digest>"` where revision and shape do not tell one body from another. */
export function entityTag({ revision, shape }: EntityVersion, body: string): string {
  return `"${revision}-${shape ?? digestOf(body)}"`;
}

/** The strong tag of a body that is the same for everybody. */
export function contentTag(body: Buffer): string {
  return `"${digestOf(body)}"`;
}

function digestOf(body: string | Buffer): string {
  return hash("sha256", body, "base64url").slice(0, DIGEST_CHARACTERS);
}

/** The tag of the same body sent with gzip: other bytes have another strong tag (RFC 9110 8.8.3.3). */
export function compressedTag(tag: string): string {
  return tag.slice(0, -1) + GZIP_ENDING;
}

/** Whether a tag is one of this revision, of whatever shape or body: `"7-<shape>"`, `"7-<digest>"`, or that of either with gzip. */
export function isOfRevision(tag: string, revision: number): boolean {
  return ENTITY_TAG.exec(tag)?.[1] === String(revision);
}
