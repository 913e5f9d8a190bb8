import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Account } from "@kinora/domain/wire/Account"
import { emptyPage, type Json, jsonMember, jsonOf, toJson } from "@kinora/domain/wire/Json"
import type { VideoChannelSync } from "@kinora/domain/wire/VideoChannelAnswers"
import { type Answers, answer, json, jsonText } from "../../../src/platform/http/Answer.ts"

const sync = jsonOf<VideoChannelSync>(`{"id":1}`)

describe("Answers", () => {
  it("are what the success schema of the endpoint allows", () => {
    const right: Pick<Answers<"channelSyncs">, "addVideoChannelSync"> = {
      addVideoChannelSync: () => answer(Effect.succeed(jsonText(jsonMember("videoChannelSync", sync))))
    }
    const wrong: Pick<Answers<"channelSyncs">, "addVideoChannelSync"> = {
      // @ts-expect-error the object around it is missing
      addVideoChannelSync: () => answer(Effect.succeed(jsonText(sync)))
    }
    const nothing: Pick<Answers<"channelSyncs">, "addVideoChannelSync"> = {
      // @ts-expect-error there is an answer to give
      addVideoChannelSync: () => answer(Effect.void)
    }
    const plain: Pick<Answers<"accounts">, "getAccounts"> = {
      // @ts-expect-error an item is no account
      getAccounts: () => answer(Effect.succeed({ total: 1, data: [{ id: 1 }] }))
    }
    const empty: Pick<Answers<"accounts">, "getAccounts"> = {
      getAccounts: () => answer(Effect.succeed(json({ total: 0, data: [] })))
    }
    assert.isDefined([right, wrong, nothing, plain, empty])
  })

  it("are texts of one shape", () => {
    const decode = Schema.decodeUnknownSync(
      Schema.fromJsonString(Schema.Struct({ total: Schema.Int, data: Schema.Array(Account) }))
    )
    assert.deepStrictEqual(decode(emptyPage), { total: 0, data: [] })
    assert.strictEqual(jsonMember("a", toJson([1, null])), `{"a":[1,null]}`)
    // @ts-expect-error a text of one thing is none of another
    const other: Json<string> = toJson(1)
    assert.strictEqual(other, "1")
  })
})
