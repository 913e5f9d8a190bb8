import { useEffect } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { isOffered } from "../../session/Features.ts"
import { me } from "../../session/Me.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import { addFiles, isBusy, openUploads, uploads } from "../../uploads/Uploads.ts"
import { channelOptions } from "../../video-form/Choices.ts"
import { newFields } from "../../video-form/Fields.ts"
import { DropZone } from "./DropZone.tsx"
import { UploadCard } from "./UploadCard.tsx"

const t = text("upload")

const warn = (event: BeforeUnloadEvent): void => {
  if (isBusy()) event.preventDefault()
}

// For as long as the document lives: uploads go on while other pages are open.
addEventListener("beforeunload", warn)

const quotaLeft = (): number | undefined => {
  const { videoQuota = -1, videoQuotaUsed = 0 } = me.value ?? {}
  return videoQuota < 0 ? undefined : Math.max(0, videoQuota - videoQuotaUsed)
}

/** Uploading videos: files are dropped or chosen, their forms are filled in while they are on their way. */
export const Page = () => {
  const user = me.value
  useEffect(() => {
    if (user !== undefined) openUploads(user.id)
  }, [user?.id])
  const channels = channelOptions()
  const first = channels[0]
  const left = quotaLeft()
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{left === undefined ? t("lead") : t("quota", { left: bytes(left) })}</p>
        </div>
        {isOffered("live") && (
          <ButtonLink href="/my/lives/new" icon="live">
            {t("goLive")}
          </ButtonLink>
        )}
      </header>
      {first === undefined ? (
        <Empty icon="warning" title={t("noChannelTitle")} text={t("noChannelText")} />
      ) : (
        <>
          <DropZone
            isCompact={uploads.value.length > 0}
            onFiles={(files) => addFiles(files, (file) => newFields(file.name, Number(first.value)))}
          />
          <ol class="uploads" aria-label={t("list")}>
            {uploads.value.map((upload) => (
              <UploadCard key={upload.key} upload={upload} channels={channels} />
            ))}
          </ol>
        </>
      )}
    </>
  )
}
