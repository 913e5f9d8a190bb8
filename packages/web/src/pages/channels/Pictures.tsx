import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { loadMe } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button } from "../../ui/Button.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import type { Channel } from "./About.tsx"

const t = text("channels")

const { extensions, maxBytes } = constraints.actorImage

/** The avatar and the banner of a channel. */
export const Pictures = ({
  channel,
  onSaved
}: {
  readonly channel: Channel
  readonly onSaved: () => Promise<void>
}) => {
  const [busy, setBusy] = useState(false)
  const params = { channelHandle: channel.name }
  const run = async (act: () => Promise<Answer>, said: string): Promise<void> => {
    setBusy(true)
    if (report(await act(), said)) await Promise.all([onSaved(), loadMe()])
    setBusy(false)
  }
  const send = (field: "avatarfile" | "bannerfile", file: File): void => {
    if (file.size > maxBytes) return toast(t("pictureLarge", { size: bytes(maxBytes) }), "failed")
    const body = new FormData()
    body.set(field, file)
    void run(
      () =>
        field === "avatarfile"
          ? call("POST /api/v1/video-channels/:channelHandle/avatar/pick", { params, body })
          : call("POST /api/v1/video-channels/:channelHandle/banner/pick", { params, body }),
      t("pictureSaved")
    )
  }
  const banner = channel.banners.at(-1)
  return (
    <div class="stack">
      <section class="card stack" aria-labelledby="avatar">
        <h2 id="avatar">{t("avatar")}</h2>
        <Avatar name={channel.displayName} pictures={channel.avatars} size={96} />
        <div class="acts">
          <FileButton accept={extensions.join()} busy={busy} onFile={(file) => send("avatarfile", file)}>
            {t("chooseAvatar")}
          </FileButton>
          {channel.avatars.length > 0 && (
            <Button
              icon="trash"
              busy={busy}
              onClick={() =>
                void run(
                  () => call("DELETE /api/v1/video-channels/:channelHandle/avatar", { params }),
                  t("pictureRemoved")
                )
              }
            >
              {t("removeAvatar")}
            </Button>
          )}
        </div>
      </section>
      <section class="card stack" aria-labelledby="banner">
        <h2 id="banner">{t("banner")}</h2>
        {banner !== undefined && (
          <img class="banner-shown" src={new URL(banner.fileUrl, location.href).pathname} alt={t("bannerOfNow")} />
        )}
        <div class="acts">
          <FileButton accept={extensions.join()} busy={busy} onFile={(file) => send("bannerfile", file)}>
            {t("chooseBanner")}
          </FileButton>
          {banner !== undefined && (
            <Button
              icon="trash"
              busy={busy}
              onClick={() =>
                void run(
                  () => call("DELETE /api/v1/video-channels/:channelHandle/banner", { params }),
                  t("pictureRemoved")
                )
              }
            >
              {t("removeBanner")}
            </Button>
          )}
        </div>
      </section>
    </div>
  )
}
