/** The minors of Talos whose machinery is asked, and the files that name the versions of it. */
export const modFiles = {
  9: 'go-1.9.mod',
  10: 'go-1.10.mod',
  11: 'go-1.11.mod',
  12: 'go-1.12.mod',
  13: 'go-1.13.mod',
  14: 'go.mod',
} as const

/** The same minors, oldest first. */
export const minors = [9, 10, 11, 12, 13, 14] as const
