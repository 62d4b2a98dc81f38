/** One request to an API that speaks JSON: no client of ours is in between. */
export type ApiCall = (method: string, path: string, body?: object) => Promise<ApiAnswer>

interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

export function apiCall(endpoint: string, token: string): ApiCall {
  return async (method, path, body) => {
    const response = await fetch(`${endpoint}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, body: text === '' ? {} : JSON.parse(text) }
  }
}
