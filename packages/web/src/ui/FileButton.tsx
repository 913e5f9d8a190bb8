import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { Button } from "./Button.tsx"
import type { IconName } from "./Icon.tsx"

/** A button by which one file is chosen. The same file may be chosen again. */
export const FileButton = ({
  accept,
  busy = false,
  children,
  icon = "upload",
  onFile
}: {
  /** Endings or kinds of files, as `accept` of an input has them. */
  readonly accept: string
  readonly busy?: boolean
  readonly icon?: IconName
  readonly children: ComponentChildren
  readonly onFile: (file: File) => void
}) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={icon} busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ""
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}
