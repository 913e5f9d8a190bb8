import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoViewer } from "@kinora/storage/video/read/VideoQuery"
import { Option } from "effect"

/** Who reads, as the lists and details of videos take it; undefined for everybody. */
export const readerOf = (user: Option.Option<CurrentUserShape>): VideoViewer | undefined =>
  Option.isNone(user) ? undefined : { userId: user.value.id, accountId: user.value.accountId }
