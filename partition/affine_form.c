#include "affine_form.h"

#include <stdlib.h>
#include <string.h>

void affine_form_free(struct affine_form *form)
{
    if (!form)
        return;
    for (int i = 0; form->names && i < form->parameters; i++)
        free(form->names[i]);
    free(form->names);
    for (size_t p = 0; p < form->count; p++) {
        for (size_t r = 0; r < form->pieces[p].row_count; r++)
            free(form->pieces[p].rows[r].factors);
        free(form->pieces[p].rows);
    }
    free(form->pieces);
    free(form);
}

static struct affine_form *create(const struct affine_pieces *pieces,
                                  const struct affine_piece *piece)
{
    struct affine_form *form = calloc(1, sizeof *form);

    if (!form)
        return NULL;
    *form = (struct affine_form){
        .parameters = pieces->parameters, .inputs = piece->inputs, .outputs = piece->outputs};
    form->names = calloc((size_t)pieces->parameters + 1, sizeof *form->names);
    bool good = form->names;
    for (int i = 0; good && i < pieces->parameters; i++) {
        form->names[i] = strdup(pieces->names[i]);
        good = form->names[i];
    }
    if (good)
        return form;
    affine_form_free(form);
    return NULL;
}

static bool add_row(const struct affine_form *form, struct affine_form_piece *piece,
                    const struct affine_row *row)
{
    const int named = form->parameters + form->inputs + form->outputs;
    struct affine_form_row *added = &piece->rows[piece->row_count];

    *added = (struct affine_form_row){.is_equality = row->is_equality, .constant = row->constant};
    added->factors = calloc((size_t)(named + piece->quotients) + 1, sizeof *added->factors);
    if (!added->factors)
        return false;
    memcpy(added->factors, row->factors, (size_t)named * sizeof *added->factors);
    for (int q = 0; q < piece->quotients; q++)
        added->factors[named + q] = row->factors[AFFINE_VARIABLES - 1 - q];
    piece->row_count++;
    return true;
}

static bool add_piece(struct affine_form *form, const struct affine_piece *piece)
{
    struct affine_form_piece *grown =
        realloc(form->pieces, (form->count + 1) * sizeof *form->pieces);

    if (!grown)
        return false;
    form->pieces = grown;
    struct affine_form_piece *added = &grown[form->count++];
    *added = (struct affine_form_piece){.quotients = piece->quotients,
                                        .rows = calloc(piece->row_count + 1, sizeof *added->rows)};
    bool good = added->rows;
    for (size_t i = 0; good && i < piece->row_count; i++)
        good = add_row(form, added, &piece->rows[i]);
    return good;
}

void affine_form_add(struct affine_form **form, const struct affine_pieces *pieces,
                     const struct affine_piece *piece)
{
    if (!*form && !pieces->map)
        *form = create(pieces, piece);
    if (!*form || add_piece(*form, piece))
        return;
    affine_form_free(*form);
    *form = NULL;
}
