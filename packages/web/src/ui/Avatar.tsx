interface Picture {
  readonly fileUrl: string
  readonly width: number
}

/** A picture of ours without its host, which a proxy may name otherwise. */
export const localAddress = (fileUrl: string): string => {
  const url = new URL(fileUrl, location.href)
  return url.hostname === location.hostname || url.hostname === "localhost" ? url.pathname : url.href
}

/** The picture of an account or a channel, or the first letter of its name: decoration beside the name. */
export const Avatar = ({
  name,
  pictures,
  size = 48
}: {
  readonly name: string
  readonly pictures: ReadonlyArray<Picture>
  readonly size?: number
}) => {
  const fitting = [...pictures].sort((a, b) => a.width - b.width)
  const picture = fitting.find((it) => it.width >= size * 2) ?? fitting.at(-1)
  return (
    <span class="face" style={{ width: `${size}px`, height: `${size}px` }} aria-hidden="true">
      {picture === undefined ? (
        <span>{Array.from(name)[0]?.toUpperCase()}</span>
      ) : (
        <img src={localAddress(picture.fileUrl)} alt="" width={size} height={size} />
      )}
    </span>
  )
}
