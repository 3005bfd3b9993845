/** How a message describes a UUID. */
export const UUID_FORM = 'a UUID, such as "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f"';
