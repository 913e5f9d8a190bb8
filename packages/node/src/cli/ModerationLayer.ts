import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { BlockRows } from "@kinora/storage/people/block/BlockRows"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { UserChanges } from "@kinora/storage/people/user/UserChanges"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { VideoBlockLists } from "@kinora/storage/video/block/VideoBlockLists"
import { VideoBlockRows } from "@kinora/storage/video/block/VideoBlockRows"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { UserRemoval } from "@kinora/storage/video/removal/UserRemoval"
import { Layer } from "effect"
import { KnownAccounts } from "../people/account/KnownAccounts.ts"
import { Blocks } from "../people/block/Blocks.ts"
import { InstanceBlocks } from "../people/block/InstanceBlocks.ts"
import { AccessTokens } from "../people/session/AccessTokens.ts"
import { CurrentPassword } from "../people/session/CurrentPassword.ts"
import { PasswordConfirmation } from "../people/session/PasswordConfirmation.ts"
import { Passwords } from "../people/session/Passwords.ts"
import { UserAdministration } from "../people/user/UserAdministration.ts"
import { UserDeletion } from "../people/user/UserDeletion.ts"
import { UserPasswords } from "../people/user/UserPasswords.ts"
import { RateLimitStore } from "../platform/http/RateLimitStore.ts"
import { Mailer } from "../platform/mail/Mailer.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import { VideoBlocks } from "../video/block/VideoBlocks.ts"
import { VideoAccess } from "../video/list/VideoAccess.ts"
import { VideoFileTokens } from "../video/list/VideoFileTokens.ts"
import { operatorLayer } from "./OperatorLayer.ts"

const sessions = AccessTokens.layer.pipe(Layer.provideMerge(TokenRows.layer))

const blocks = InstanceBlocks.layer.pipe(
  Layer.provide(Blocks.layer),
  Layer.provide([BlockRows.layer, KnownAccounts.layer.pipe(Layer.provide(AccountLists.layer))])
)

/** Nobody sends passwords of videos or users here. */
const rateLimits = RateLimitStore.layerMemory(1)

const videoBlocks = VideoBlocks.layer.pipe(
  Layer.provide(VideoBlockRows.layer),
  Layer.provide(VideoAccess.layer),
  Layer.provide(VideoFileTokens.layer),
  Layer.provide([VideoFactRows.layer, VideoReads.layer, InstanceSettings.layer, rateLimits])
)

const currentPassword = CurrentPassword.layer.pipe(Layer.provide([LoginRows.layer, Passwords.layer, rateLimits]))

const users = UserAdministration.layer.pipe(
  Layer.provide([
    UserPasswords.layer,
    UserDeletion.layer.pipe(Layer.provide(UserRemoval.layer)),
    PasswordConfirmation.layer.pipe(Layer.provide(currentPassword))
  ]),
  Layer.provide([UserChanges.layer, UserRows.layer, Passwords.layer]),
  Layer.provide(Mailer.layer.pipe(Layer.provide([JobBoard.layer, SecretBox.layer])))
)

/** Blocks of accounts, instances, videos and users, with their lists. */
export const moderationLayer = Layer.mergeAll(
  blocks,
  videoBlocks,
  users,
  BlockLists.layer,
  VideoBlockLists.layer,
  UserReads.layer
).pipe(Layer.provide(sessions), Layer.provideMerge(operatorLayer))
