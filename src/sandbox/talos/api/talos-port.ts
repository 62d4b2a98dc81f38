/** Where apid listens. */
export const talosPort = 50_000
