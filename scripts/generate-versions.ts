/**
 * Writes everything that comes from the sources of Talos and Kubernetes themselves: what a machine config may
 * hold, and what their components understand. docs/new-version.md says what is left to decide. Not a part of
 * `npm run generate`, since it needs Go; test/peers holds the files to what this writes.
 */
await import('./generate-talos-fields.ts')
await import('./generate-kubernetes-settings.ts')
