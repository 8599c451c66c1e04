#include "version.h"

const char version_number[] = VERSION;
const char version_commit[] = COMMIT;
const bool version_dirty = DIRTY;
const char version_sources[] = SOURCES;
