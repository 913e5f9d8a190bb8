import { describe, expectTypeOf, it } from "vitest"
import type { Input, Output, Route } from "../../src/api/Endpoints.ts"

// Checked by the compiler: nothing happens at run time.
describe("types of endpoints", () => {
  it("are those of the API", () => {
    expectTypeOf<Output<"GET /api/v1/users/me">["username"]>().toEqualTypeOf<string>()
    expectTypeOf<Output<"DELETE /api/v1/videos/:id">>().toEqualTypeOf<undefined>()
    expectTypeOf<Input<"GET /api/v1/videos/:id">["params"]>().toEqualTypeOf<{ readonly id: string | number }>()
    expectTypeOf<"/api/v1/nowhere">().not.toExtend<Route>()
  })
  it("take sort orders as text, ids as numbers, and no unknown field", () => {
    expectTypeOf<{ readonly query: { readonly sort: "-createdAt" } }>().toExtend<Input<"GET /api/v1/users/me/videos">>()
    expectTypeOf<{ readonly query: { readonly sort: "nothing" } }>().not.toExtend<
      Input<"GET /api/v1/users/me/videos">
    >()
    type Body = Exclude<Input<"PUT /api/v1/videos/:id">["body"], FormData>
    expectTypeOf<NonNullable<Body["channelId"]>>().toEqualTypeOf<number>()
    type Mute = Exclude<Input<"POST /api/v1/server/blocklist/accounts">["body"], FormData>
    expectTypeOf<Mute["accountName"]>().toEqualTypeOf<string>()
    expectTypeOf<"nam">().not.toExtend<keyof Body>()
  })
  it("may leave out what the path marks", () => {
    expectTypeOf<{ readonly params: { readonly state: "failed" } }>().toExtend<Input<"GET /api/v1/jobs/:state?">>()
    expectTypeOf<{}>().toExtend<Input<"GET /api/v1/jobs/:state?">>()
  })
})
