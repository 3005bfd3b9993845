/** Leads from the title of a service to its URL, in the line of the log that says that it listens; tests wait for it. */
export const IS_AT = " is at ";
