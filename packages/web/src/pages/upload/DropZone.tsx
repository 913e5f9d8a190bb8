import { useEffect, useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Icon } from "../../ui/Icon.tsx"

const t = text("upload")

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true

/** Takes files: dropped anywhere on the page, or chosen. */
export const DropZone = ({
  isCompact,
  onFiles
}: {
  readonly isCompact: boolean
  readonly onFiles: (files: Iterable<File>) => void
}) => {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles(event.dataTransfer?.files ?? [])
    }
    const listeners = [
      ["dragenter", enter],
      ["dragover", enter],
      ["dragleave", leave],
      ["drop", drop]
    ] as const
    for (const [name, listener] of listeners) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) document.removeEventListener(name, listener)
    }
  }, [onFiles])
  return (
    <label class="drop" data-over={over} data-compact={isCompact}>
      <span class="drop-icon">
        <Icon name="upload" size={isCompact ? 22 : 34} />
      </span>
      <span class="drop-words">
        <strong>{over ? t("dropNow") : t("drop")}</strong>
        <span>{t("dropHelp")}</span>
      </span>
      <span class="btn btn-primary" aria-hidden="true">
        {t("choose")}
      </span>
      <input
        class="sr"
        type="file"
        multiple
        accept="video/*,audio/*,.mkv,.avi,.flv,.m2ts,.mts,.mxf,.ts,.wmv"
        aria-label={t("choose")}
        onChange={(event) => {
          onFiles(event.currentTarget.files ?? [])
          // The same file may be chosen once more.
          event.currentTarget.value = ""
        }}
      />
    </label>
  )
}
