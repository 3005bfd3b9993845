import type { AttachmentHooks } from "../generated/v1/attachments/attachments.hooks.js";

// This file is yours: it was made once, and the generator never touches it again.

/** The business code of attachments. */
export const attachments: AttachmentHooks = {};
