import { assert, describe, it } from "@effect/vitest"
import type { UserRole } from "@kinora/domain/enums/UserRole"
import type { AccountId, TokenId, UserId } from "@kinora/domain/ids/Ids"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type AccountAction, mayOnAccount } from "../../../src/people/account/AccountRights.ts"
import { type ChannelAction, mayOnChannel } from "../../../src/people/channel/ChannelRights.ts"

const user = (accountId: number, role: UserRole): CurrentUserShape => ({
  id: accountId as UserId,
  username: `user${accountId}`,
  role,
  adminFlags: 0,
  accountId: accountId as AccountId,
  accountName: `user${accountId}`,
  videoQuota: -1,
  videoQuotaDaily: -1,
  nsfw: { policy: null, flagsHidden: 0, flagsListed: 0 },
  tokenId: 1 as TokenId
})

const owner = user(1, 2)
const helper = user(2, 2)
const stranger = user(3, 2)
const moderator = user(4, 1)
const administrator = user(5, 0)
const everybody = { owner, helper, stranger, moderator, administrator }

const channel = { id: 9, accountId: 1, isLocal: true, collaborators: [2] }

const whoMay = (may: (asker: CurrentUserShape) => boolean) =>
  Object.entries(everybody)
    .filter(([, asker]) => may(asker))
    .map(([name]) => name)
    .join(" ")

describe("what may be done", () => {
  it("to a channel", () => {
    const table: Readonly<Record<ChannelAction, string>> = {
      publish: "owner helper",
      edit: "owner helper moderator administrator",
      see: "owner helper moderator administrator",
      invite: "owner administrator",
      collaborators: "owner moderator administrator",
      give: "owner administrator",
      delete: "owner moderator administrator"
    }
    for (const [action, expected] of Object.entries(table)) {
      assert.strictEqual(
        whoMay((asker) => mayOnChannel(asker, action as ChannelAction, channel)),
        expected,
        action
      )
      assert.strictEqual(
        whoMay((asker) => mayOnChannel(asker, action as ChannelAction, { ...channel, isLocal: false })),
        "",
        `${action} far away`
      )
    }
  })

  it("with what belongs to an account", () => {
    const table: Readonly<Record<AccountAction, string>> = {
      followers: "owner moderator administrator",
      collaborations: "owner moderator administrator",
      figures: "owner",
      ratings: "owner",
      synchronisations: "owner administrator",
      watchedWords: "owner"
    }
    for (const [action, expected] of Object.entries(table)) {
      assert.strictEqual(
        whoMay((asker) => mayOnAccount(asker, action as AccountAction, 1)),
        expected,
        action
      )
    }
  })
})
