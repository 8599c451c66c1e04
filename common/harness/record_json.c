#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/gpu.h"

#include "build_ids.h"
#include "json.h"
#include "record_internal.h"
#include "sysinfo.h"
#include "version.h"

static void write_utc(struct json *json, const char *key, time_t when)
{
    char text[32];
    struct tm utc;
    gmtime_r(&when, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_text(json, key, text);
}

static bool has_prefix(const char *entry, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (strncmp(entry, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

/* Only variables that change how a program runs: an environment may hold secrets. */
static void write_environment(struct json *json)
{
    static const char *const kept[] = {
        "OMP_",
        "OPENBLAS_",
        "CAF_",
        "PARTITION_",
        "CUDA_VISIBLE_DEVICES=",
        "SOFTGPU_",
        "OMPI_MCA_",
        "UCX_",
        "NCCL_",
        "SLURM_JOB_ID=",
        "SLURM_JOB_NODELIST=",
        "PBS_JOBID=",
        "DATAMOTION_NODES=",
        "CUDA_MODULE_LOADING=",
        NULL,
    };
    /* Open MPI and run/experiment tell processes with these where they are, in this one run. */
    static const char *const internal[] = {
        "OMPI_MCA_orte_",
        "OMPI_MCA_ess",
        "OMPI_MCA_initial_wdir=",
        "OMPI_MCA_shmem_RUNTIME_QUERY_hint=",
        "OMPI_MCA_plm_rsh_agent=",
        "OMPI_MCA_btl_vader_backing_directory=",
        "OMPI_MCA_btl_sm_backing_directory=",
        "OMPI_MCA_osc_sm_backing_directory=",
        NULL,
    };
    json_open(json, "env", '{');
    for (char **entry = environ; *entry; entry++) {
        char *equals = strchr(*entry, '=');
        if (!equals || !has_prefix(*entry, kept) || has_prefix(*entry, internal))
            continue;
        char *name = strndup(*entry, (size_t)(equals - *entry));
        json_text(json, name, equals + 1);
        free(name);
    }
    json_close(json, '}');
}

/* What run/experiment knows: the checkout that the experiment ran in, its scale, and a hash of its
 * row in the manifest. Null for a program that was started by hand. */
static void write_experiment(struct json *json)
{
    static const char *const told[][2] = {{"tree", "DATAMOTION_TREE"},
                                          {"scale", "DATAMOTION_SCALE"},
                                          {"manifest_row", "DATAMOTION_MANIFEST_ROW"}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        json_text(json, told[i][0], getenv(told[i][1]));
}

static void write_meta(struct json *json, const struct recorder *recorder)
{
    const struct run *run = recorder->run;
    json_open(json, "meta", '{');
    json_text(json, "program", run->program->name);
    json_text(json, "experiment", run->settings.experiment);
    json_text(json, "version", version_number);
    json_text(json, "commit", version_commit);
    json_bool(json, "dirty", version_dirty);
    json_text(json, "sources", version_sources);
    write_experiment(json);
    json_open(json, "argv", '[');
    for (int i = 0; i < run->argc; i++) {
        /* Where a program and its output lay says something about the user, not about the result.
         */
        bool is_path = i == 0 || run->argv[i] == run->settings.output;
        const char *slash = is_path ? strrchr(run->argv[i], '/') : NULL;
        json_text(json, NULL, slash ? slash + 1 : run->argv[i]);
    }
    json_close(json, ']');
    write_utc(json, "start_utc", recorder->start);
    write_utc(json, "end_utc", time(NULL));
    write_environment(json);
    json_close(json, '}');
}

/* Load, clocks and temperatures before and after the measurements. */
static void write_state(struct json *json, const struct recorder *recorder)
{
    struct machine_state after;
    machine_state_read(&after);
    json_open(json, "state", '{');
    machine_state_write(json, "before", &recorder->before);
    machine_state_write(json, "after", &after);
    json_close(json, '}');
}

static void write_config(struct json *json, const struct recorder *recorder)
{
    const struct settings *settings = &recorder->run->settings;
    json_open(json, "config", '{');
    json_text(json, "gpu", GPU_KIND);
    json_integer(json, "ranks", ranks.count);
    json_integer(json, "gpus", (int64_t)recorder->run->gpus * ranks.count);
    json_integer(json, "iterations", settings->iterations);
    json_integer(json, "warmup", settings->warmup);
    json_real(json, "min_time_s", settings->min_time_s);
    json_real(json, "noise", settings->noise);
    json_bool(json, "check", settings->check);
    json_integer(json, "seed", (int64_t)settings->seed);
    json_close(json, '}');
}

static void write_columns(struct json *json, const struct recorder *recorder)
{
    json_open(json, "columns", '[');
    for (const struct column *column = recorder->run->program->columns; column->name; column++) {
        json_open(json, NULL, '{');
        json_text(json, "name", column->name);
        json_text(json, "kind", column->kind == COLUMN_PARAMETER ? "parameter" : "metric");
        json_text(json, "meaning", column->meaning);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_waived(struct json *json, const struct recorder *recorder)
{
    json_open(json, "waived", '[');
    for (size_t i = 0; i < recorder->row_count; i++) {
        if (!recorder->rows[i].waived)
            continue;
        json_open(json, NULL, '{');
        json_text(json, "variant", recorder->rows[i].variant);
        json_text(json, "reason", recorder->rows[i].waived);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_value(struct json *json, const char *key, struct value value)
{
    switch (value.kind) {
    case VALUE_NONE:
        json_text(json, key, NULL);
        break;
    case VALUE_INTEGER:
        json_integer(json, key, value.as.integer);
        break;
    case VALUE_REAL:
        json_real(json, key, value.as.real);
        break;
    case VALUE_TEXT:
        json_text(json, key, value.as.text);
        break;
    }
}

static void write_columns_of_kind(struct json *json, const struct recorder *recorder,
                                  const struct row *row, enum column_kind kind)
{
    const struct column *columns = recorder->run->program->columns;
    for (size_t i = 0; i < recorder->column_count; i++)
        if (columns[i].kind == kind)
            write_value(json, columns[i].name, row->values[i]);
}

static void write_configuration(struct json *json, const struct recorder *recorder,
                                const struct configuration *configuration)
{
    const struct row *first = &recorder->rows[configuration->rows[0]];
    long errors = 0;
    json_open(json, NULL, '{');
    json_text(json, "variant", first->variant);
    json_open(json, "parameters", '{');
    write_columns_of_kind(json, recorder, first, COLUMN_PARAMETER);
    json_close(json, '}');
    json_open(json, "samples", '[');
    for (size_t i = 0; i < configuration->count; i++) {
        const struct row *row = &recorder->rows[configuration->rows[i]];
        json_open(json, NULL, '{');
        json_real(json, "time_s", row->time_s);
        write_columns_of_kind(json, recorder, row, COLUMN_METRIC);
        json_close(json, '}');
        errors += row->errors;
    }
    json_close(json, ']');
    json_integer(json, "errors", errors);
    json_close(json, '}');
}

static void write_results(struct json *json, const struct recorder *recorder)
{
    size_t count;
    struct configuration *configurations = record_configurations(recorder, &count);
    json_open(json, "results", '[');
    for (size_t i = 0; i < count; i++)
        write_configuration(json, recorder, &configurations[i]);
    json_close(json, ']');
    record_free_configurations(configurations, count);
}

void record_write_json(const struct recorder *recorder, FILE *out, bool with_results,
                       enum exit_code status, const char *reason)
{
    struct json json = {.out = out, .first = true};
    struct sysinfo info;
    sysinfo_read(&info);
    snprintf(info.host, sizeof info.host, "%s", recorder->host);
    json_open(&json, NULL, '{');
    json_integer(&json, "schema_version", 1);
    write_meta(&json, recorder);
    sysinfo_write(&json, &info);
    build_ids_write(&json);
    placement_write(&json, recorder->placements, ranks.count);
    placement_write_job(&json);
    write_state(&json, recorder);
    write_config(&json, recorder);
    write_columns(&json, recorder);
    if (with_results)
        write_results(&json, recorder);
    write_waived(&json, recorder);
    json_text(&json, "status", status_word(status));
    json_text(&json, "reason", reason);
    json_close(&json, '}');
}
