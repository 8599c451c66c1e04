-- Samples of the forest over those of random, Standard 1: with all kernels.
WITH ratio AS (
    SELECT benchmark, coalesce(f.need / n.need, 1) AS ratio, count(*) OVER () AS kernels
    FROM tuner_needs AS f JOIN tuner_needs AS n USING (standard, benchmark)
    WHERE standard = 1 AND f.variant = 'forest' AND n.variant = 'random')
SELECT 'datamotion-c-030' AS id, ratio AS value, NULL AS low, NULL AS high,
       'of the samples of random, ' || benchmark AS words
FROM ratio WHERE kernels = 11;

SELECT 'datamotion-c-031' AS id, time_s AS value, time_low_s AS low, time_high_s AS high,
       printf('s with %d samples', samples) AS words
FROM tuner_models_median WHERE variant = 'forest' AND points >= 11000;

-- With a twentieth of the space. Searches end at Standard 2: if that was met with fewer samples, more might find more.
WITH found AS (
    SELECT benchmark, coalesce(max(best_median) FILTER (WHERE total_ratio <= 0.05), 0) AS best,
           max(total_ratio) > 0.05 AND min(total_ratio) <= 0.05 AS known,
           count(*) OVER () AS kernels
    FROM tuner_search_median WHERE variant = 'forest' GROUP BY benchmark)
SELECT 'datamotion-c-032' AS id, best AS value, best AS low, iif(known, best, max(best, 1)) AS high,
       'of the best speed, ' || benchmark AS words
FROM found WHERE kernels = 11;

-- Samples of the guided search over those of the better of local search and genetic algorithm, Standard 1.
WITH ratio AS (
    SELECT 1.0 * max(samples) FILTER (WHERE variant = 'guided')
               / min(samples) FILTER (WHERE variant IN ('local', 'genetic')) AS ratio
    FROM tuner_guided_needs GROUP BY benchmark)
SELECT 'datamotion-c-033/ratio' AS id, exp(avg(ln(ratio))) AS value, NULL AS low, NULL AS high,
       printf('of the samples of the better one, %.2f .. %.2f', min(ratio), max(ratio)) AS words
FROM ratio HAVING count(*) = 11
UNION ALL
SELECT 'datamotion-c-033/unmet', count(*) - count(ratio), NULL, NULL, 'kernels without the standard'
FROM ratio HAVING count(*) = 11;

-- Samples of auto over those of the better of local search and genetic algorithm, Standard 1: with all kernels.
WITH ratio AS (
    SELECT 1.0 * max(samples) FILTER (WHERE variant = 'auto')
               / min(samples) FILTER (WHERE variant IN ('local', 'genetic')) AS ratio,
           1.0 * max(low) FILTER (WHERE variant = 'auto')
               / min(high) FILTER (WHERE variant IN ('local', 'genetic')) AS low,
           1.0 * max(high) FILTER (WHERE variant = 'auto')
               / min(low) FILTER (WHERE variant IN ('local', 'genetic')) AS high
    FROM tuner_auto_needs GROUP BY benchmark)
SELECT 'datamotion-c-064/ratio' AS id, exp(avg(ln(ratio))) AS value, exp(avg(ln(low))) AS low,
       exp(avg(ln(high))) AS high,
       printf('of the samples of the better one, %.2f .. %.2f', min(ratio), max(ratio)) AS words
FROM ratio HAVING count(*) = 11
UNION ALL
SELECT 'datamotion-c-064/unmet', count(*) - count(ratio), NULL, NULL, 'kernels without the standard'
FROM ratio HAVING count(*) = 11;

-- With a twentieth of the space. Searches end at Standard 2: if that was met with fewer samples, more might find more.
WITH found AS (
    SELECT benchmark, coalesce(best_of_twentieth, 0) AS best, beyond_twentieth AS known, count(*) OVER () AS kernels
    FROM tuner_auto_needs WHERE variant = 'auto')
SELECT 'datamotion-c-065' AS id, best AS value, best AS low, iif(known, best, max(best, 1)) AS high,
       'of the best speed, ' || benchmark AS words
FROM found WHERE kernels = 11;

-- 200 trials on a matrix product with 12 and a stencil with 11 parameters, of all their configurations.
SELECT 'datamotion-c-080/' || benchmark AS id, p05 AS value, p05 - p05_error AS low, min(p05 + p05_error, 1) AS high,
       printf('of the best of %d configurations: 5th percentile of %d searches', points, searches) AS words
FROM tuner_found WHERE variant = 'auto' AND trials = 200;

-- Beside the public tuner, with its best strategy at each number of trials, on the same times.
WITH pair AS (
    SELECT a.trials, min(a.mid / b.mid) AS ratio, a.low / b.high AS low, min(a.high / b.low, 1 / b.low) AS high,
           a.benchmark || ', ' || b.strategy AS words
    FROM tuner_found AS a JOIN tuner_found AS b USING (benchmark, trials)
    WHERE a.variant = 'auto' AND b.best AND trials IN (20, 50, 100, 200) GROUP BY a.trials, a.benchmark)
SELECT 'datamotion-c-081' AS id, ratio AS value, low, high, printf('%d trials, %s', trials, words) AS words FROM pair
UNION ALL
SELECT 'datamotion-c-081', NULL, NULL, NULL, 'the public tuner was not there'
FROM (SELECT count(*) AS pairs FROM pair) WHERE pairs = 0;

-- On generated spaces without (097) and with (098) configurations that fail: geometric means, all kinds, two of each.
SELECT iif(failing, 'datamotion-c-098', 'datamotion-c-097') AS id, exp(avg(ln(ratio))) AS value,
       exp(avg(ln(ratio)) - sqrt(sum(error * error)) / count(*)) AS low,
       exp(avg(ln(ratio)) + sqrt(sum(error * error)) / count(*)) AS high,
       printf('of the trials of the better one, %.2f .. %.2f on %d spaces', min(ratio), max(ratio), count(*)) AS words
FROM tuner_synthetic_ratios GROUP BY failing HAVING count(*) >= 10 AND count(DISTINCT kind) >= 5;
