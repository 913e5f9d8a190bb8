import { useRef, useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { sendBytes } from "../../api/Send.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { report } from "../../ui/Outcome.ts"
import { Progress } from "../../ui/States.tsx"
import { addressOf, sendFile } from "../../uploads/Resumable.ts"
import type { VideoDetails } from "./Editable.ts"

const t = text("edit")
const common = text("common")

/** Announces another file for a video, and sends it. */
const replaceFile = async (
  { id }: VideoDetails,
  file: File,
  chunkSize: number,
  progress: (sent: number) => void,
  signal: AbortSignal
): Promise<Answer> => {
  const announced = await sendBytes({
    method: "POST",
    path: `/api/v1/videos/${id}/source/replace-resumable`,
    headers: {
      "content-type": "application/json",
      "x-upload-content-length": String(file.size),
      "x-upload-content-type": file.type === "" ? "application/octet-stream" : file.type
    },
    body: JSON.stringify({ filename: file.name }),
    signal
  })
  const address = addressOf(announced)
  return address === undefined ? announced : await sendFile({ file, chunkSize, address, progress, signal })
}

const Facts = ({ video }: { readonly video: VideoDetails }) => {
  const { id } = video
  const source = useLoad(`source ${id} ${video.inputFileUpdatedAt}`, (signal) =>
    call("GET /api/v1/videos/:id/source", { params: { id }, signal })
  )
  if (source.data === undefined) return <p class="lead">{source.failure === undefined ? "" : t("noSource")}</p>
  const { createdAt, fileDownloadUrl, inputFilename, resolution, size } = source.data
  return (
    <>
      <dl class="facts">
        <dt>{t("fileName")}</dt>
        <dd>{inputFilename}</dd>
        {size !== undefined && <dt>{t("fileSize")}</dt>}
        {size !== undefined && <dd>{bytes(size)}</dd>}
        {resolution !== undefined && <dt>{t("fileResolution")}</dt>}
        {resolution !== undefined && <dd>{resolution.label}</dd>}
        <dt>{t("fileDate")}</dt>
        <dd>{moment(createdAt)}</dd>
      </dl>
      {fileDownloadUrl !== null && (
        <div class="acts">
          <a class="btn btn-plain" href={fileDownloadUrl} download>
            {t("original")}
          </a>
        </div>
      )}
    </>
  )
}

/** The file a video was made from, and another in its place where the server allows that. */
export const SourceFile = ({
  onSaved,
  video
}: {
  readonly video: VideoDetails
  readonly onSaved: () => Promise<void>
}) => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config", { signal }))
  const [sending, setSending] = useState<{ readonly sent: number; readonly size: number }>()
  const abort = useRef<AbortController>(undefined)
  const replace = async (file: File): Promise<void> => {
    const yes = await confirm({
      title: t("replaceAsk"),
      text: t("replaceWarning", { name: file.name }),
      action: t("replace"),
      danger: true
    })
    if (!yes) return
    const controller = new AbortController()
    abort.current = controller
    setSending({ sent: 0, size: file.size })
    const progress = (sent: number): void => setSending({ sent, size: file.size })
    const chunkSize = config.data?.client.videos.resumableUpload.maxChunkSize ?? 0
    const answer = await replaceFile(video, file, chunkSize, progress, controller.signal)
    setSending(undefined)
    if (!controller.signal.aborted && report(answer, t("replaced"))) await onSaved()
  }
  return (
    <div class="card stack">
      <Facts video={video} />
      {config.data?.videoFile.update.enabled === true && (
        <section class="stack">
          <h2>{t("replace")}</h2>
          <p class="lead">{t("replaceText")}</p>
          {sending === undefined ? (
            <div>
              <FileButton accept="video/*,audio/*,.mkv,.avi,.flv" onFile={(file) => void replace(file)}>
                {t("replace")}
              </FileButton>
            </div>
          ) : (
            <div class="acts">
              <Progress label={t("replacing")} value={sending.sent} max={sending.size} />
              <Button onClick={() => abort.current?.abort()}>{common("cancel")}</Button>
            </div>
          )}
        </section>
      )}
    </div>
  )
}
