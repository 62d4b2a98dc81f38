/** Does work that writes the state, and anchors it when it ends, whether it succeeds or fails. */
export async function anchorAfter<Result>(
  anchor: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work()
    await anchor()
    return result
  } catch (error) {
    // What went wrong is what people must read; the next run that ends well makes up for the anchor.
    await anchor().catch(() => undefined)
    throw error
  }
}
