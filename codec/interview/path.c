#include "codec/interview/path.h"

#include "codec/interview/constants.h"

bool interview_path_id(struct bytes path, struct bytes *id)
{
    const struct bytes before = bytes_of_text(INTERVIEW_PATH_BEFORE_ID);
    const struct bytes after = bytes_of_text(INTERVIEW_PATH_AFTER_ID);
    if (path.len <= before.len + after.len || !bytes_equal(bytes_of(path.data, before.len), before) ||
        !bytes_equal(bytes_of(path.data + path.len - after.len, after.len), after))
        return false;
    const struct bytes middle = bytes_of(path.data + before.len, path.len - before.len - after.len);
    if (memchr(middle.data, '/', middle.len) != NULL)
        return false;
    *id = middle;
    return true;
}
