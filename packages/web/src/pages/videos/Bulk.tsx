import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { BulkBar } from "../../ui/Toolbar.tsx"
import { changePrivacy, deleteAll, type MyVideo } from "./Videos.ts"

const t = text("videos")
const form = text("form")

/** Without a password, which each video would need. */
const privacies = [VideoPrivacy.public, VideoPrivacy.unlisted, VideoPrivacy.internal, VideoPrivacy.private] as const

/** What is done with many videos at once. */
export const Bulk = ({
  onClear,
  onDone,
  videos
}: {
  readonly videos: ReadonlyArray<MyVideo>
  readonly onClear: () => void
  readonly onDone: () => void
}) => {
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<boolean>): Promise<void> => {
    setBusy(true)
    const happened = await act()
    setBusy(false)
    if (happened) onDone()
  }
  return (
    <BulkBar count={videos.length} onClear={onClear}>
      <Menu
        label={t("changePrivacy")}
        icon="eye"
        small
        items={privacies.map((id) => ({
          label: form("privacyName", { id }),
          onSelect: () => void run(() => changePrivacy(videos, id))
        }))}
      >
        {t("changePrivacy")}
      </Menu>
      <Button kind="danger" small icon="trash" busy={busy} onClick={() => void run(() => deleteAll(videos))}>
        {t("delete")}
      </Button>
    </BulkBar>
  )
}
