-- The blocks of threads of a sweep, by kernel from the fastest on; share: speed / that of the fastest.
-- Intervals: of the mean time of a block's launches.
CREATE VIEW tuner_blocks AS
SELECT variant, block_x, block_y, block_x * block_y AS threads, time_s, low_s, high_s, rate_gflops,
       first_value(time_s) OVER fastest / time_s AS share, first_value(low_s) OVER fastest / high_s AS share_low,
       first_value(high_s) OVER fastest / low_s AS share_high, row_number() OVER fastest AS place,
       count(*) OVER (PARTITION BY variant) AS blocks
FROM (SELECT *, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low_s, time_s + coalesce(spread_s, 0) AS high_s
      FROM tuner_sweep_median WHERE time_s > 0)
WINDOW fastest AS (PARTITION BY variant ORDER BY time_s, block_x, block_y);

-- The kernel that each block suits least; whole: all kernels were measured with it.
CREATE VIEW tuner_least AS
SELECT block_x, block_y, variant, min(share) AS share, share_low, share_high,
       count(*) = (SELECT count(DISTINCT variant) FROM tuner_sweep_median) AS whole
FROM tuner_blocks GROUP BY block_x, block_y;

-- Banded: no block whose x is no multiple of 8 reaches 0.6 of the best speed (multiples of 16 and 32 are some of 8).
CREATE VIEW tuner_classes AS
SELECT variant, iif(max(share) < 0.6, 'banded', 'clustered') AS class
FROM tuner_blocks WHERE block_x % 8 > 0 GROUP BY variant;

-- What stands in the place of a second machine's numbers.
CREATE VIEW tuner_no_partner AS
SELECT 'no second machine' || iif(count(*), ' with a CUDA GPU', '') || ' is recorded' AS words
FROM machine WHERE name = 'device0_kind' AND value = 'cuda';

-- The least share of the space with which the median (Standard 1) or the 5th percentile (Standard 2) of the searches is
-- above 0.95 of the optimum; infinite: none that was tried, up to most. Intervals: of the median from the quartiles, of
-- the 5th percentile from the density between it and the lower quartile. place: of the kernel, by name.
CREATE VIEW tuner_needs AS
SELECT standard, variant, benchmark, dense_rank() OVER (ORDER BY benchmark) AS place,
       min(iif(best > 0.95, total_ratio, 9e999)) AS need,
       min(iif(best + error > 0.95, total_ratio, 9e999)) AS low,
       min(iif(best - error > 0.95, total_ratio, 9e999)) AS high, max(total_ratio) AS most
FROM (SELECT 1 AS standard, variant, benchmark, total_ratio, best_median AS best,
             1.57 * abs(best_p75 - best_p25) / sqrt(searches) AS error FROM tuner_search_median
      UNION ALL SELECT 2, variant, benchmark, total_ratio, best_p05,
                       1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * abs(best_p25 - best_p05) FROM tuner_search_median)
GROUP BY standard, variant, benchmark;

-- What models need, as need / that of random samples, where random meets the standard. more: the model needs more;
-- surely: beyond both intervals; known: as searches end where Standard 2 is met, random must meet the standard with as
-- many samples as a model took at most (3/7 of the space) that does not meet it, else there is nothing to compare.
CREATE VIEW tuner_all_ratios AS
SELECT standard, benchmark, m.place, m.variant, m.need, m.need / r.need AS ratio,
       min(m.need, r.need) <= m.most AS known, m.need > r.need AS more, m.low > r.high AS surely
FROM tuner_needs AS m JOIN tuner_needs AS r USING (standard, benchmark)
WHERE r.variant = 'random' AND r.need < 9e999 AND m.variant <> 'random';

CREATE VIEW tuner_ratios AS
SELECT * FROM tuner_all_ratios WHERE variant IN ('cart', 'knn', 'svm', 'forest', 'mlp');

-- The least number of samples for Standard 1 by other searches.
CREATE VIEW tuner_guided_needs AS
SELECT variant, benchmark, dense_rank() OVER (ORDER BY benchmark) AS place,
       min(samples) FILTER (WHERE best_median > 0.95) AS samples
FROM tuner_guided_median GROUP BY variant, benchmark;

-- The same of the searches that assume nothing about the space. Intervals: as of tuner_needs.
CREATE VIEW tuner_auto_needs AS
SELECT variant, benchmark, dense_rank() OVER (ORDER BY benchmark) AS place,
       min(samples) FILTER (WHERE best_median > 0.95) AS samples,
       min(samples) FILTER (WHERE best_median + error > 0.95) AS low,
       coalesce(min(samples) FILTER (WHERE best_median - error > 0.95), max(samples)) AS high,
       max(best_median) FILTER (WHERE total_ratio <= 0.05) AS best_of_twentieth,
       max(total_ratio) > 0.05 AS beyond_twentieth
FROM (SELECT *, 1.57 * abs(best_p75 - best_p25) / sqrt(searches) AS error FROM tuner_auto_median)
GROUP BY variant, benchmark;

-- A model's ratios over kernels and both standards; a percentile is the least ratio that so many are not above.
CREATE VIEW tuner_spread AS
SELECT variant, min(ratio) FILTER (WHERE share >= 0.05) AS p05, min(ratio) FILTER (WHERE share >= 0.25) AS p25,
       min(ratio) FILTER (WHERE share >= 0.5) AS p50, min(ratio) FILTER (WHERE share >= 0.75) AS p75,
       min(ratio) FILTER (WHERE share >= 0.95) AS p95, avg(ratio) AS mean
FROM (SELECT *, cume_dist() OVER (PARTITION BY variant ORDER BY ratio) AS share FROM tuner_ratios) GROUP BY variant;

-- What searches of the examples have found after so many trials, as least time / time found: medians with intervals as
-- of tuner_needs, and 5th percentiles. best: the best strategy of the public tuner at that number of trials.
CREATE VIEW tuner_found AS
SELECT *, variant = 'kernel-tuner' AND row_number() OVER (PARTITION BY variant, benchmark, trials ORDER BY mid DESC) = 1
          AS best
FROM (SELECT variant, strategy, benchmark, trials, points, searches, best_median AS mid,
             max(best_median - 1.57 * (best_p75 - best_p25) / sqrt(searches), best_p05) AS low,
             min(best_median + 1.57 * (best_p75 - best_p25) / sqrt(searches), best_p95) AS high, best_p05 AS p05,
             1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * (best_p25 - best_p05) AS p05_error
      FROM tuner_convergence_median WHERE variant <> 'kernel-tuner' OR strategy <> '');

-- On generated spaces, the trials to 0.95 of the best of the search without settings over those of the better of local
-- search and genetic algorithm. error: half width of the 95 % interval of its logarithm, from the quartiles over searches.
-- Only of searches of 200 trials and more: shorter ones mostly reach their limit, and then there is nothing to compare.
CREATE VIEW tuner_synthetic_ratios AS
WITH need AS (
    SELECT kind, space, failing, variant = 'auto' AS own, trials_median AS trials,
           1.57 * (trials_p75 - trials_p25) / sqrt(searches) / trials_median AS error,
           row_number() OVER (PARTITION BY kind, space, failing, variant = 'auto' ORDER BY trials_median) AS place
    FROM tuner_synthetic_median WHERE variant IN ('auto', 'local', 'genetic') AND trials_limit >= 200)
SELECT kind, space, failing, a.trials / b.trials AS ratio, sqrt(a.error * a.error + b.error * b.error) AS error
FROM need AS a JOIN need AS b USING (kind, space, failing)
WHERE a.own AND NOT b.own AND b.place = 1;
