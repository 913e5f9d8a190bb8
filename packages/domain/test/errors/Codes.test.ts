import { assert, describe, it } from "@effect/vitest"
import * as Auth from "../../src/errors/AuthErrors.ts"
import * as Request from "../../src/errors/RequestErrors.ts"
import * as Service from "../../src/errors/ServiceErrors.ts"
import * as Upload from "../../src/errors/UploadErrors.ts"
import * as Video from "../../src/errors/VideoErrors.ts"

describe("typed problems", () => {
  it("have the statuses of the contract", () => {
    const classes = Object.values({ ...Auth, ...Request, ...Service, ...Upload, ...Video })
    const found = Object.fromEntries(
      classes.flatMap(({ problem }) => (problem.code === undefined ? [] : [[problem.code, problem.status]]))
    )
    assert.deepInclude(found, {
      max_file_size_reached: 413,
      quota_reached: 413,
      does_not_respect_follow_constraints: 403,
      invalid_grant: 400,
      invalid_client: 400,
      invalid_token: 401,
      unauthorized_request: 401,
      invalid_request: 400,
      unsupported_grant_type: 400,
      unauthorized_client: 400,
      server_error: 503,
      missing_two_factor: 401,
      invalid_two_factor: 400,
      too_long_password: 400,
      account_blocked: 400,
      email_not_verified: 400,
      account_waiting_for_approval: 400,
      account_approval_rejected: 400,
      video_requires_password: 401,
      incorrect_video_password: 403,
      video_already_being_transcoded: 409
    })
  })
})
