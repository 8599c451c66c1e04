#include "prefetch/sip/conflict.h"

bool conflict_of_get(const struct store_stamp *stamp, int epoch, int worker, int *other,
                     int *statement)
{
    if (stamp->epoch != epoch)
        return false;
    bool is_last = stamp->writer == worker;
    *other = is_last ? stamp->other_writer : stamp->writer;
    *statement = is_last ? stamp->other_statement : stamp->statement;
    return *other >= 0;
}

bool conflict_of_put(const struct store_stamp *stamp, int epoch, int worker, bool add, int *other,
                     int *statement)
{
    return !(add && stamp->added) && conflict_of_get(stamp, epoch, worker, other, statement);
}

void conflict_note_put(struct store_stamp *stamp, int epoch, int worker, bool add, int statement)
{
    if (stamp->epoch != epoch)
        *stamp = (struct store_stamp){.epoch = epoch,
                                      .writer = worker,
                                      .other_writer = -1,
                                      .other_statement = -1,
                                      .added = true};
    if (stamp->writer != worker) {
        stamp->other_writer = stamp->writer;
        stamp->other_statement = stamp->statement;
    }
    stamp->writer = worker;
    stamp->statement = statement;
    stamp->added &= add;
}
