import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const exempt = new WeakSet<object>()

/** Notes that a request has shown a secret that is good, where only requests that do not are limited. */
export const noteExempt = (request: HttpServerRequest): void => void exempt.add(request.source)

/** Whether a request of node:http has. */
export const isExempt = (source: object): boolean => exempt.has(source)
