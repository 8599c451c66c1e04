-- One search per model to its end, until nothing remains. Samples use up the space too, so the number of iterations is
-- that of halving alone only where an iteration takes one or two.
WITH search AS (
    SELECT variant, points, pick_ratio, cut_ratio, max(iteration) AS iterations,
           max(1, round(pick_ratio * points)) AS samples, sum(sampled) AS total, max(best) AS best,
           ceil(log2(points)) AS halvings
    FROM tuner_trace WHERE status = 'pass' GROUP BY variant, benchmark, points, pick_ratio, cut_ratio),
halved AS (SELECT * FROM search WHERE cut_ratio = 0.5 AND samples <= 2),
pair AS (
    SELECT sum(b.total) / sum(a.total) AS samples, median(b.best) / median(a.best) AS best, count(*) AS searches
    FROM search AS a JOIN search AS b USING (variant, pick_ratio) WHERE a.cut_ratio = 0.5 AND b.cut_ratio = 0.75),
trace AS (
    SELECT *, sampled <> samples AND (iteration < iterations OR sampled > samples) AS other
    FROM tuner_trace JOIN search USING (variant, points, pick_ratio, cut_ratio))
SELECT 'cui-c-266' AS id, iterations - halvings AS value, NULL AS low, NULL AS high,
       coalesce('iterations more than halvings, ' || variant,
                'no search took only one or two samples per iteration') AS words
FROM (SELECT 1) LEFT JOIN halved
UNION ALL
SELECT 'cui-c-267', sum(other), NULL, NULL, printf('of %d iterations with other numbers of samples', count(*))
FROM trace HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-314', sum(repeated) + sum(outside), NULL, NULL,
       printf('of %d samples, again or from outside', sum(sampled)) FROM tuner_trace HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-296/samples', samples, NULL, NULL,
       iif(searches, printf('of the samples, %d searches', searches), 'no cut ratio of 0.75 was measured') FROM pair
UNION ALL
SELECT 'cui-c-296/best', best, NULL, NULL, 'of the median best' FROM pair WHERE searches > 0;

-- Few samples: how well models predict, and what a search finds with the fewest.
WITH error AS (
    SELECT variant, data, max(r2) FILTER (WHERE samples = least) AS few, max(r2) FILTER (WHERE samples = most) AS many
    FROM tuner_models_median, (SELECT min(samples) AS least, max(samples) AS most FROM tuner_models_median)
    WHERE variant IN ('svm', 'mlp') GROUP BY variant, data),
few AS (
    SELECT variant, benchmark, best_median, rank() OVER (PARTITION BY benchmark ORDER BY samples) AS place
    FROM tuner_search_median),
beside AS (
    SELECT m.variant, median(m.best_median / r.best_median) AS found
    FROM few AS m JOIN few AS r USING (benchmark, place)
    WHERE place = 1 AND r.variant = 'random' AND m.variant IN ('svm', 'mlp') GROUP BY m.variant)
SELECT 'cui-c-306/gain' AS id, many - few AS value, NULL AS low, NULL AS high,
       printf('more of R2 with the most samples, %s, %s', variant, data) AS words FROM error
UNION ALL
SELECT 'cui-c-306/few', min(found), NULL, NULL, 'of the best of random with the fewest, ' || variant
FROM beside HAVING count(*) > 0;
