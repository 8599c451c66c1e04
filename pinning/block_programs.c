#include "block_programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

enum { HOST = 0, GPU = 1, SENDING_MAX = 8, ARRAY_MAX = 4096 };

/* The interpreter: it notes what happens until the program has made its requests. */
struct machine {
    struct trace *trace;
    uint64_t seed, draws;
    size_t requests, requests_max;
    enum dm_status status;         /* of the trace, so far */
    uint32_t sending[SENDING_MAX]; /* blocks on their way to a server */
    size_t sending_count;
    uint32_t *unused; /* stack of IDs to be used again */
    size_t unused_count;
    uint32_t next_id;
    unsigned char *live; /* by ID */
};

/* An index range cut into segments; the last one may be shorter. */
struct range {
    unsigned segments, length, last;
};

static const uint32_t no_block = UINT32_MAX;

static uint64_t length_of(struct range range, unsigned segment)
{
    return segment + 1 == range.segments ? range.last : range.length;
}

static bool more(const struct machine *machine)
{
    return machine->requests < machine->requests_max && machine->status == DM_OK;
}

static void note(struct machine *machine, struct trace_event event)
{
    if (machine->status == DM_OK)
        machine->status = trace_add(machine->trace, event);
}

/* A new block, or no_block when the program has made all its requests. */
static uint32_t allocate(struct machine *machine, uint64_t elements)
{
    if (!more(machine))
        return no_block;
    uint32_t id =
        machine->unused_count ? machine->unused[--machine->unused_count] : machine->next_id++;
    machine->live[id] = 1;
    machine->requests++;
    note(machine, (struct trace_event){.kind = TRACE_ALLOCATE, .id = id, .elements = elements});
    return id;
}

static void release(struct machine *machine, uint32_t id)
{
    if (id == no_block)
        return;
    machine->live[id] = 0;
    machine->unused[machine->unused_count++] = id;
    note(machine, (struct trace_event){.kind = TRACE_RELEASE, .id = id});
}

static void use(struct machine *machine, enum trace_kind kind, uint32_t id, int device)
{
    if (id != no_block)
        note(machine,
             (struct trace_event){.kind = (uint8_t)kind, .id = id, .device = (uint8_t)device});
}

/* get: the block arrives from a server in host memory. */
static uint32_t get(struct machine *machine, uint64_t elements)
{
    uint32_t id = allocate(machine, elements);
    use(machine, TRACE_WRITE, id, HOST);
    return id;
}

/* put: the block is read by the network and released when it has been sent, which takes a random
 * number of further puts. */
static void put(struct machine *machine, uint32_t id)
{
    if (id == no_block)
        return;
    use(machine, TRACE_READ, id, HOST);
    if (machine->sending_count == SENDING_MAX) {
        size_t done = random_below(machine->seed, machine->draws++, SENDING_MAX);
        release(machine, machine->sending[done]);
        machine->sending[done] = machine->sending[--machine->sending_count];
    }
    machine->sending[machine->sending_count++] = id;
}

/* result = left * right on the GPU, into a block that is overwritten or added to. */
static void contract(struct machine *machine, enum trace_kind kind, uint32_t result, uint32_t left,
                     uint32_t right)
{
    use(machine, TRACE_READ, left, GPU);
    use(machine, TRACE_READ, right, GPU);
    use(machine, kind, result, GPU);
}

/* ---- local arrays: all their blocks stay allocated ---- */

struct array {
    uint32_t blocks[ARRAY_MAX];
    size_t count;
};

/* One block per combination of segments of the (at most 4) ranges, filled on the host. */
static void local(struct machine *machine, struct array *array, const struct range *ranges,
                  unsigned rank)
{
    size_t combinations = 1;
    for (unsigned r = 0; r < rank; r++)
        combinations *= ranges[r].segments;
    array->count = 0;
    for (size_t c = 0; c < combinations; c++) {
        uint64_t elements = 1;
        size_t rest = c;
        for (unsigned r = 0; r < rank; r++) {
            elements *= length_of(ranges[r], (unsigned)(rest % ranges[r].segments));
            rest /= ranges[r].segments;
        }
        array->blocks[array->count++] = get(machine, elements);
    }
}

static void release_array(struct machine *machine, struct array *array)
{
    for (size_t i = 0; i < array->count; i++)
        release(machine, array->blocks[i]);
    array->count = 0;
}

/* ---- the programs ---- */

/* Hartree-Fock from the core Hamiltonian: four matrices over 7 segments of atomic orbitals are
 * local; each pass over all quadruples of segments computes a block of integrals on the host and
 * adds its Coulomb and exchange parts to the Fock matrix. */
static void scf_rhf_coreh(void *state)
{
    struct machine *m = state;
    const struct range ao = {7, 12, 9}, pair[] = {ao, ao};
    struct array hcore, density, fock, overlap;
    local(m, &hcore, pair, 2);
    local(m, &overlap, pair, 2);
    local(m, &density, pair, 2);
    local(m, &fock, pair, 2);
    while (more(m)) {
        for (size_t i = 0; i < fock.count; i++)
            use(m, TRACE_WRITE, fock.blocks[i], HOST);
        for (size_t ij = 0; ij < 49 && more(m); ij++) {
            for (size_t kl = 0; kl < 49 && more(m); kl++) {
                uint64_t bra =
                    length_of(ao, (unsigned)(ij % 7)) * length_of(ao, (unsigned)(ij / 7));
                uint64_t ket =
                    length_of(ao, (unsigned)(kl % 7)) * length_of(ao, (unsigned)(kl / 7));
                uint32_t integrals = get(m, bra * ket);
                uint32_t coulomb = allocate(m, bra), exchange = allocate(m, bra);
                contract(m, TRACE_WRITE, coulomb, integrals, density.blocks[kl]);
                contract(m, TRACE_WRITE, exchange, integrals, density.blocks[kl]);
                contract(m, TRACE_UPDATE, fock.blocks[ij], coulomb, exchange);
                release(m, integrals);
                release(m, exchange);
                put(m, coulomb);
            }
        }
    }
}

/* Transformation of the integrals to molecular orbitals without the class of four virtual indices:
 * the coefficients are local; each quadruple passes through four quarter transformations whose
 * blocks change size on the way, the last one is sent. */
static void tran_rhf_no4v(void *state)
{
    struct machine *m = state;
    const struct range ao = {9, 10, 7}, occupied = {4, 6, 5}, virtual = {11, 8, 6};
    const struct range to_occupied[] = {ao, occupied}, to_virtual[] = {ao, virtual},
                       square[] = {ao, ao};
    struct array c_occupied, c_virtual, fock;
    local(m, &c_occupied, to_occupied, 2);
    local(m, &c_virtual, to_virtual, 2);
    local(m, &fock, square, 2);
    for (unsigned n = 0; more(m); n++) {
        unsigned i = n % occupied.segments, a = n / 4 % virtual.segments;
        uint64_t o = length_of(occupied, i), v = length_of(virtual, a);
        uint64_t s = length_of(ao, n % ao.segments), t = length_of(ao, n / 9 % ao.segments);
        uint32_t integrals = get(m, s * s * t * t);
        uint32_t first = allocate(m, o * s * t * t), second = allocate(m, o * o * t * t);
        contract(m, TRACE_WRITE, first, integrals, c_occupied.blocks[i]);
        contract(m, TRACE_WRITE, second, first, c_occupied.blocks[i]);
        release(m, integrals);
        release(m, first);
        uint32_t third = allocate(m, o * o * v * t), fourth = allocate(m, o * o * v * v);
        contract(m, TRACE_WRITE, third, second, c_virtual.blocks[a]);
        contract(m, TRACE_WRITE, fourth, third, c_virtual.blocks[a]);
        release(m, second);
        release(m, third);
        put(m, fourth);
    }
}

/* Coupled cluster, singles and doubles: amplitudes, residuals, and intermediates over 3 segments of
 * occupied and 7 of virtual orbitals are local. Each iteration clears the residuals on the host,
 * adds ladder and ring terms on the GPU, and updates the amplitudes on the host. */
static void rccsd_rhf(void *state)
{
    struct machine *m = state;
    const struct range o = {3, 5, 4}, v = {7, 8, 7}, doubles[] = {o, o, v, v}, singles[] = {o, v};
    const struct range ring[] = {o, v, v, o};
    static struct array t1, t2, r2, ring_term; /* large, and written before they are read */
    local(m, &t1, singles, 2);
    local(m, &t2, doubles, 4);
    local(m, &r2, doubles, 4);
    while (more(m)) {
        for (size_t i = 0; i < r2.count; i++)
            use(m, TRACE_WRITE, r2.blocks[i], HOST);
        for (size_t x = 0; x < r2.count && more(m); x++) {
            uint64_t c = length_of(v, (unsigned)(x % 7)), d = length_of(v, (unsigned)(x / 7 % 7));
            uint32_t vvvv = get(m, c * c * d * d), tau = allocate(m, 25 * c * d);
            uint32_t ladder = allocate(m, 25 * c * d);
            use(m, TRACE_READ, t1.blocks[x % t1.count], GPU);
            contract(m, TRACE_WRITE, tau, t2.blocks[x], t1.blocks[x % t1.count]);
            contract(m, TRACE_WRITE, ladder, vvvv, tau);
            contract(m, TRACE_UPDATE, r2.blocks[x], ladder, tau);
            release(m, vvvv);
            release(m, tau);
            put(m, ladder);
        }
        local(m, &ring_term, ring, 4);
        for (size_t x = 0; x < ring_term.count; x++)
            contract(m, TRACE_WRITE, ring_term.blocks[x], t2.blocks[x], r2.blocks[x]);
        for (size_t x = 0; x < ring_term.count; x++) {
            use(m, TRACE_READ, ring_term.blocks[x], HOST);
            use(m, TRACE_READ, r2.blocks[x], HOST);
            use(m, TRACE_WRITE, t2.blocks[x], HOST);
        }
        release_array(m, &ring_term);
    }
}

/* Perturbative triples: for a triple of occupied segments all blocks of the triples amplitudes (a
 * cube of virtual segments) are local; each is the sum of two contractions through temporaries.
 * The energy is taken from them on the host before all are released. */
static void triples(struct machine *m, struct range o, struct range v, unsigned terms)
{
    const struct range cube[] = {v, v, v}, doubles[] = {o, v, v};
    static struct array t2, w3;
    local(m, &t2, doubles, 3);
    while (more(m)) {
        local(m, &w3, cube, 3);
        for (size_t x = 0; x < w3.count && more(m); x++) {
            uint64_t a = length_of(v, (unsigned)(x % v.segments));
            uint64_t b = length_of(v, (unsigned)(x / v.segments % v.segments));
            for (unsigned term = 0; term < terms; term++) {
                uint32_t integrals = get(m, a * b * v.length * (term + 1));
                uint32_t permuted = allocate(m, a * b * v.length);
                contract(m, TRACE_WRITE, permuted, integrals, t2.blocks[x % t2.count]);
                contract(m, term ? TRACE_UPDATE : TRACE_WRITE, w3.blocks[x], permuted,
                         t2.blocks[x % t2.count]);
                release(m, integrals);
                release(m, permuted);
            }
        }
        for (size_t x = 0; x < w3.count; x++)
            use(m, TRACE_READ, w3.blocks[x], HOST);
        release_array(m, &w3);
    }
}

static void rccsdpt_aaa(void *state)
{
    triples(state, (struct range){2, 5, 4}, (struct range){14, 8, 6}, 1);
}

static void rccsdpt_aab(void *state)
{
    triples(state, (struct range){2, 5, 4}, (struct range){15, 8, 5}, 2);
}

const struct block_program block_programs[] = {
    {"scf_rhf_coreh", "synthetic: Fock matrix from integral blocks", 8189, scf_rhf_coreh},
    {"tran_rhf_no4v", "synthetic: four quarter transformations per block", 8257, tran_rhf_no4v},
    {"rccsd_rhf", "synthetic: coupled cluster iterations on local amplitudes", 14294, rccsd_rhf},
    {"rccsdpt_aaa", "synthetic: cubes of triples blocks, one term", 17911, rccsdpt_aaa},
    {"rccsdpt_aab", "synthetic: larger cubes of triples blocks, two terms", 19518, rccsdpt_aab},
    {0},
};

const struct block_program *block_program_find(const char *name)
{
    for (const struct block_program *program = block_programs; program->name; program++)
        if (strcmp(program->name, name) == 0)
            return program;
    return NULL;
}

static void begin(struct trace *trace, const char *name, uint64_t seed)
{
    *trace = (struct trace){.seed = seed};
    snprintf(trace->name, sizeof trace->name, "%s", name);
}

enum dm_status block_program_trace(const struct block_program *program, uint64_t seed,
                                   struct trace *trace)
{
    begin(trace, program->name, seed);
    struct machine machine = {.trace = trace, .seed = seed, .requests_max = program->requests};
    machine.unused = calloc(program->requests, sizeof *machine.unused);
    machine.live = calloc(program->requests, 1);
    if (machine.unused && machine.live)
        program->run(&machine);
    else
        machine.status = error_no_memory(program->requests * sizeof *machine.unused);
    for (uint32_t id = 0; id < machine.next_id; id++)
        if (machine.live[id])
            release(&machine, id);
    free(machine.unused);
    free(machine.live);
    if (machine.status != DM_OK)
        trace_free(trace);
    return machine.status;
}

static enum dm_status add_request(struct trace *trace, size_t number, size_t live)
{
    const uint64_t seed = trace->seed;
    uint32_t id = (uint32_t)(number < live ? number : random_below(seed, 2 * number, live));
    double elements = 512.0 * exp2(14.0 * random_uniform(seed, 2 * number + 1));
    if (number >= live)
        TRY(trace_add(trace, (struct trace_event){.kind = TRACE_RELEASE, .id = id}));
    return trace_add(trace, (struct trace_event){
                                .kind = TRACE_ALLOCATE, .id = id, .elements = (uint64_t)elements});
}

enum dm_status random_trace(size_t requests, size_t live, uint64_t seed, struct trace *trace)
{
    enum dm_status status = DM_OK;
    begin(trace, "random", seed);
    for (size_t i = 0; i < requests && status == DM_OK; i++)
        status = add_request(trace, i, live);
    for (uint32_t id = 0; id < trace->ids && status == DM_OK; id++)
        status = trace_add(trace, (struct trace_event){.kind = TRACE_RELEASE, .id = id});
    if (status != DM_OK)
        trace_free(trace);
    return status;
}
