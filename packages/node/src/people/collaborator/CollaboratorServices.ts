import { Collaborators } from "@kinora/storage/people/collaborator/Collaborators"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Layer } from "effect"
import { ChannelActivityLog } from "./ChannelActivityLog.ts"
import { Collaboration } from "./Collaboration.ts"

/** Work on channels together. Needs `SqlClient`, `ChannelRows` and `ChannelActivities`. */
export const CollaboratorServices = Layer.merge(
  ChannelActivityLog.layer,
  Collaboration.layer.pipe(Layer.provide([Collaborators.layer, Recipients.layer]))
)
