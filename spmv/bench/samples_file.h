/* samples_file.h: the samples that spmv_samples wrote at install time, and models of them.
 *
 *     FILE.csv[.gz] --read--> medians by size --models--> spmv_split_* */
#ifndef SPMV_BENCH_SAMPLES_FILE_H
#define SPMV_BENCH_SAMPLES_FILE_H

#include <datamotion/spmv.h>

/* Medians over the repetitions of each size, ascending. The sizes of cpu and gpu are rows, those of
 * the two ways of the bus bytes. */
struct split_samples_file {
    struct spmv_split_samples cpu, gpu;
    struct spmv_split_samples to_device, from_device;
    double *memory; /* of all of them */
};

/* Reads columns variant (cpu, gpu, bus-in, bus-out), rows, bytes, time_s and status; others may be
 * there. Of the CPU those with so many `threads`; 0: all, which must be of one number. DM_FAILED:
 * it cannot be read; DM_INVALID: it is no such table, ends early, a row is no sample or did not
 * pass, there is nothing of a variant, or the rows are of several settings (`threads`,
 * `disturbed`), whose times must not be mixed; DM_NO_MEMORY. */
enum dm_status split_samples_read(struct split_samples_file *file, const char *path, int threads);
void split_samples_close(struct split_samples_file *file);

/* Every step-th sample of CPU and GPU, the last one among them; the bus as it is. Refers to nothing
 * of `all`. DM_INVALID: nothing is left; DM_NO_MEMORY. */
enum dm_status split_samples_thin(struct split_samples_file *thin,
                                  const struct split_samples_file *all, size_t step);

/* Lines of CPU, GPU and bus; the samples stay those of the file. halo_elements is 0: set it for
 * each problem. DM_INVALID: no line can be fitted. */
enum dm_status split_samples_models(const struct split_samples_file *file,
                                    struct spmv_split_models *models);

#endif
