/* The path of an interview's endpoint: 004 Endpoints. */
#ifndef CODEC_INTERVIEW_PATH_H
#define CODEC_INTERVIEW_PATH_H

#include "codec/wire/bytes.h"

/* The id of the interview as it stands in the path, undecoded and not empty; borrowed from `path`. False when
 * it is another path. */
bool interview_path_id(struct bytes path, struct bytes *id);

#endif
