import type { HttpOptions } from "./HttpOptions.ts"
import type { PathClass } from "./RequestPath.ts"

export type HeaderRecord = Record<string, string>

/**
 * Headers every answer has, by what its path is: prepared once, so that a request only copies them.
 * Cross-origin reads are open and carry no credentials (contract: API authentication is by bearer token alone).
 */
export const makeAnswerHeaders = (options: Pick<HttpOptions, "poweredBy" | "frameguard">) => {
  const build = (cors: boolean, frames: boolean): HeaderRecord => ({
    ...(options.poweredBy === undefined ? {} : { "x-powered-by": options.poweredBy }),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(options.frameguard && !frames ? { "x-frame-options": "DENY" } : {}),
    ...(cors ? { "access-control-allow-origin": "*", "access-control-expose-headers": "Retry-After" } : {})
  })
  const [plain, framed, open, openFramed] = [
    build(false, false),
    build(false, true),
    build(true, false),
    build(true, true)
  ] as const
  return (path: Pick<PathClass, "cors" | "frames">): HeaderRecord =>
    path.cors ? (path.frames ? openFramed : open) : path.frames ? framed : plain
}

/** Headers of the answer to a preflight request (Fetch standard, 3.3.5); what is asked for is allowed. */
export const preflightHeaders = (requested: string | undefined): HeaderRecord => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
  ...(requested === undefined ? {} : { "access-control-allow-headers": requested }),
  "access-control-max-age": "86400",
  vary: "Access-Control-Request-Headers"
})
