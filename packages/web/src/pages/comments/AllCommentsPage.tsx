import { Comments } from "./Comments.tsx"

/** What people write below all videos, for moderators. */
export const Page = () => <Comments by="server" />
