-- A search with a random forest by the number of its iterations, beside random samples. Where these do not meet
-- Standard 1 the ratio to their largest number is a lower bound; where the forest does not, nothing is gained.
-- Intervals: of the medians of the searches, from their quartiles.
WITH run AS (
    SELECT variant, iterations, samples, total_ratio AS ratio, best_median AS best, variant || iterations AS name,
           1.57 * abs(best_p75 - best_p25) / sqrt(searches) AS error FROM tuner_iterations_median),
need AS (
    SELECT variant, iterations, min(iif(best > 0.95, ratio, 9e999)) AS mid, max(ratio) AS most,
           min(iif(best + error > 0.95, ratio, 9e999)) AS low, min(iif(best - error > 0.95, ratio, 9e999)) AS high
    FROM run GROUP BY variant, iterations),
best AS (
    SELECT max(best) FILTER (WHERE variant = 'random') AS non, max(best) FILTER (WHERE name = 'forest1') AS one,
           max(best) FILTER (WHERE name = 'forest2') AS two, max(best) FILTER (WHERE name = 'forest3') AS three
    FROM run GROUP BY samples),
claim(id) AS (VALUES ('cui-c-269'), ('cui-c-270'), ('cui-c-271'))
SELECT 'cui-c-268' AS id, avg(three >= two AND two >= one) AS value, NULL AS low, NULL AS high,
       printf('of the numbers of samples, %d', count(*)) AS words
FROM best WHERE three + two + one > 0 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-273', avg(non <= three), NULL, NULL, printf('of the numbers of samples, %d', count(*))
FROM best WHERE non + three > 0 HAVING count(*) > 0
UNION ALL
SELECT id, iif(f.mid < 9e999, min(n.mid, n.most) / f.mid, 0), min(n.low, n.most) / f.high,
       iif(f.mid < 9e999, n.high / f.low, 0),
       printf('times the forest''s %.4f of the space, random%s', f.mid, iif(n.mid > n.most, ', or more', ''))
FROM claim, need AS n, need AS f WHERE n.variant = 'random' AND f.variant = 'forest' AND f.iterations = 3;

-- Standard 2 of the same, from the sweep that goes far enough: the searches above if the forest meets it there, else
-- those of figures 5.16 to 5.20, which end where it is met. Intervals: of the 5th percentile of the searches with the
-- fewest samples that meet it, from the density between it and the lower quartile.
WITH run AS (
    SELECT 1 AS source, variant, samples, searches, best_p05 AS mid, best_p25 FROM tuner_iterations_median
    WHERE benchmark = 'syr2k' AND (variant = 'random' OR variant = 'forest' AND iterations = 3)
    UNION ALL SELECT 2, variant, samples, searches, best_p05, best_p25 FROM tuner_search_median
    WHERE benchmark = 'syr2k' AND (variant = 'random' OR variant = 'forest' AND iterations = 3)),
need AS (SELECT source, variant, min(iif(mid > 0.95, samples, 9e999)) AS samples FROM run GROUP BY source, variant),
told AS (
    SELECT f.source, f.samples AS forest, n.samples AS random FROM need AS f JOIN need AS n USING (source)
    WHERE f.variant = 'forest' AND n.variant = 'random' ORDER BY min(f.samples, n.samples) = 9e999, f.source LIMIT 1),
found AS (
    SELECT source, variant, mid, 1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * abs(best_p25 - mid) AS error
    FROM run JOIN told USING (source) WHERE samples = min(forest, random))
SELECT 'cui-c-272/samples' AS id, 1.0 * forest / random AS value, NULL AS low, NULL AS high,
       iif(min(forest, random) < 9e999, 'of the samples of random',
           'the sweep ends before either meets the standard') AS words
FROM told
UNION ALL
SELECT 'cui-c-272/percentile', f.mid - n.mid, f.mid - n.mid - f.error - n.error, f.mid - n.mid + f.error + n.error,
       'above that of random with as many samples'
FROM found AS f JOIN found AS n USING (source) WHERE f.variant = 'forest' AND n.variant = 'random';
