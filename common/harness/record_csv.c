#include <math.h>
#include <string.h>

#include "common/gpu.h"

#include "record_internal.h"

/* Quotes as RFC 4180 says, only where needed. */
static void write_cell(FILE *out, const char *cell, char before)
{
    if (before)
        fputc(before, out);
    if (!strpbrk(cell, ",\"\r\n")) {
        fputs(cell, out);
        return;
    }
    fputc('"', out);
    for (; *cell; cell++) {
        if (*cell == '"')
            fputc('"', out);
        fputc(*cell, out);
    }
    fputc('"', out);
}

void record_write_csv_header(const struct recorder *recorder)
{
    fputs("experiment,variant,gpu,host,rank,ranks,gpus,rep", recorder->out);
    for (const struct column *column = recorder->run->program->columns; column->name; column++)
        write_cell(recorder->out, column->name, ',');
    fputs(",time_s,errors,status\n", recorder->out);
}

void record_write_csv_row(const struct recorder *recorder, const struct row *row)
{
    FILE *out = recorder->out;
    char buffer[64];
    write_cell(out, recorder->run->settings.experiment, 0);
    write_cell(out, row->variant, ',');
    write_cell(out, GPU_KIND, ',');
    write_cell(out, recorder->host, ',');
    fprintf(out, ",%d,%d,%d,%d", ranks.rank, ranks.count, recorder->run->gpus * ranks.count,
            row->repetition);
    for (size_t i = 0; i < recorder->column_count; i++)
        write_cell(out, row->values ? record_format(row->values[i], buffer, sizeof buffer) : "",
                   ',');
    write_cell(out, record_format(real(row->time_s), buffer, sizeof buffer), ',');
    fprintf(out, ",%ld,%s\n", row->errors,
            row->waived       ? "waived"
            : row->errors > 0 ? "fail"
                              : "pass");
}
