import { constraints } from "@kinora/domain/enums/Constraints"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { loadMe } from "../../session/Me.ts"
import { Avatar, localAddress } from "../../ui/Avatar.tsx"
import { formWith, PictureField } from "../../ui/PictureField.tsx"
import type { Channel } from "./About.tsx"

const t = text("channels")

/** The avatar and the banner of a channel. */
export const Pictures = ({
  channel,
  onSaved
}: {
  readonly channel: Channel
  readonly onSaved: () => Promise<void>
}) => {
  const params = { channelHandle: channel.name }
  const common = {
    limits: constraints.actorImage,
    onSaved: () => Promise.all([onSaved(), loadMe()])
  }
  const banner = channel.banners.at(-1)
  const removeAvatar = (): Promise<Answer> => call("DELETE /api/v1/video-channels/:channelHandle/avatar", { params })
  const removeBanner = (): Promise<Answer> => call("DELETE /api/v1/video-channels/:channelHandle/banner", { params })
  return (
    <div class="stack">
      <PictureField
        {...common}
        title={t("avatar")}
        choose={t("chooseAvatar")}
        remove={t("removeAvatar")}
        send={(file) =>
          call("POST /api/v1/video-channels/:channelHandle/avatar/pick", { params, body: formWith("avatarfile", file) })
        }
        onRemove={channel.avatars.length > 0 ? removeAvatar : undefined}
      >
        <Avatar name={channel.displayName} pictures={channel.avatars} size={96} />
      </PictureField>
      <PictureField
        {...common}
        title={t("banner")}
        choose={t("chooseBanner")}
        remove={t("removeBanner")}
        send={(file) =>
          call("POST /api/v1/video-channels/:channelHandle/banner/pick", { params, body: formWith("bannerfile", file) })
        }
        onRemove={banner !== undefined ? removeBanner : undefined}
      >
        {banner !== undefined && <img class="banner-shown" src={localAddress(banner.fileUrl)} alt={t("bannerOfNow")} />}
      </PictureField>
    </div>
  )
}
