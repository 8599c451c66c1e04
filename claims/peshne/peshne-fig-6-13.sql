-- Copies of blocks with and without knowing the intent of each access.
WITH pair AS (
    SELECT trace, optimized.copies AS optimized, unoptimized.copies AS unoptimized,
           optimized.errors + unoptimized.errors AS errors, optimized.needed_copies AS needed
    FROM pinning_transfers_median AS optimized JOIN pinning_transfers_median AS unoptimized USING (trace)
    WHERE optimized.variant = 'optimized' AND unoptimized.variant = 'unoptimized')
SELECT 'peshne-c-065' AS id, printf('%d copies with intents, %d without', optimized, unoptimized) AS measured,
       'fewer with intents' AS bound, optimized < unoptimized AS ok,
       'stand-in trace of the program' AS reason
FROM pair WHERE trace = 'rccsd_rhf'
UNION ALL
SELECT 'peshne-c-066',
       printf('%d copies in %d traces; the model needs %d', sum(optimized), count(*), sum(needed)),
       'write 0 copies, read or update 1 if stale', sum(optimized) = sum(needed) AND sum(errors) = 0, 'stand-in traces'
FROM pair HAVING count(*) > 0;
