import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const proven = new WeakSet<object>()

/** Notes that a request has shown a secret that is good, where only requests that do not are limited. */
export const noteProven = (request: HttpServerRequest): void => void proven.add(request.source)

/** Whether a request of node:http has. */
export const isProven = (source: object): boolean => proven.has(source)
