/** What a page of the working areas is given. */
export interface PageProps {
  /** Values of the `:name` parts of its path. */
  readonly params: Readonly<Record<string, string>>
}
