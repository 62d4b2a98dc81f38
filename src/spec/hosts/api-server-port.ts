/** The port of the API server on every control plane, and of an endpoint that names none. */
export const apiServerPort = 6443
